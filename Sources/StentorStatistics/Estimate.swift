/// A value with the limits of its 95 % confidence interval.
public struct Estimate: Sendable, Equatable {
    /// The point estimate.
    public let value: Double
    /// The lower limit; may be −∞ when the data give none.
    public let low: Double
    /// The upper limit; may be ∞ when the data give none.
    public let high: Double

    /// Makes an estimate; the value lies within its limits.
    public init(value: Double, low: Double, high: Double) { (self.value, self.low, self.high) = (value, low, high) }

    /// The difference of two independent estimates, by the square-and-add rule (MOVER): Zou and Donner, Statistics in Medicine 27, 2008;
    /// with Wilson limits it is Newcombe's method 10 (Statistics in Medicine 17, 1998).
    ///
    /// d − √((θ₂ − l₂)² + (u₁ − θ₁)²) … d + √((u₂ − θ₂)² + (θ₁ − l₁)²), for θ₂ − θ₁. It follows skewed limits, which ± a standard error does not.
    public static func difference(_ candidate: Estimate, minus base: Estimate) -> Estimate {
        let difference = candidate.value - base.value
        let down = hypotenuse(candidate.value - candidate.low, base.high - base.value)
        let up = hypotenuse(candidate.high - candidate.value, base.value - base.low)
        return Estimate(value: difference, low: difference - down, high: difference + up)
    }

    /// Whether the interval lies wholly on one side of 0.
    public var excludesZero: Bool { low > 0 || high < 0 }

    /// The same with both value and limits multiplied by a factor above 0.
    public func scaled(by factor: Double) -> Estimate { Estimate(value: value * factor, low: low * factor, high: high * factor) }

    private static func hypotenuse(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}
