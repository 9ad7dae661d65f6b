import Glibc

/// The few functions of libm that the project needs, named so that no module has to import Glibc for them.
public enum FloatingPointMath {
    /// The natural logarithm.
    public static func logarithm(_ value: Double) -> Double { log(value) }
    /// The square root.
    public static func squareRoot(_ value: Double) -> Double { value.squareRoot() }
    /// `base` raised to `exponent`.
    public static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
