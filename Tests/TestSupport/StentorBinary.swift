import Foundation

/// The built programs.
public enum StentorBinary {
    /// The absolute path of the `stentor` that was built together with the running tests.
    public static var path: String { program("stentor") }

    /// The absolute path of a program that was built together with the running tests.
    ///
    /// - Parameter name: The executable target's name.
    public static func program(_ name: String) -> String {
        // The test runner is an executable of its own that lies beside the products.
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return runner.deletingLastPathComponent().appendingPathComponent(name).path
    }
}
