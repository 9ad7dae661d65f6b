// Compares models whose truth is known: `stentor-truth [--comparisons N]`; see Docs/statistics.md.

import Glibc
import StentorBase

do throws(UserFailure) {
    exit(try TruthCommand(Array(CommandLine.arguments.dropFirst())).run().rawValue)
} catch {
    StandardStream.error.write(error.rendered)
    exit(error.exitCode.rawValue)
}
