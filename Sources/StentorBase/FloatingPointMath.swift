import Glibc

/// The few functions of libm that the project needs, named so that no module has to import Glibc for them.
public enum FloatingPointMath {
    /// The natural logarithm.
    public static func logarithm(_ value: Double) -> Double { log(value) }
    /// e raised to the value.
    public static func exponential(_ value: Double) -> Double { exp(value) }
    /// log(1 + value), exact near 0.
    public static func logarithm(onePlus value: Double) -> Double { log1p(value) }
    /// The logarithm of Γ(value), for values above 0; safe on any thread, other than `lgamma`.
    public static func logGamma(_ value: Double) -> Double {
        var sign: Int32 = 0
        return lgamma_r(value, &sign)
    }
    /// The complementary error function, exact in the far tail.
    public static func complementaryError(_ value: Double) -> Double { erfc(value) }
    /// The cosine of an angle in radians.
    public static func cosine(_ value: Double) -> Double { cos(value) }
    /// The arc sine, of −1...1.
    public static func arcSine(_ value: Double) -> Double { asin(value) }
    /// The square root.
    public static func squareRoot(_ value: Double) -> Double { value.squareRoot() }
    /// `base` raised to `exponent`.
    public static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
