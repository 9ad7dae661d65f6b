print("stentor")
