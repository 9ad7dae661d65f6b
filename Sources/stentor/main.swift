import Glibc
import StentorCommand

let code = await Stentor.main(Array(CommandLine.arguments.dropFirst()))
exit(code.rawValue)
