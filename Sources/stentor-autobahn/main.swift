print("stentor-autobahn")
