import Glibc
import StentorCommand

exit(Stentor.main(Array(CommandLine.arguments.dropFirst())).rawValue)
