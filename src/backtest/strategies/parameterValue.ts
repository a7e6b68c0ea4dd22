/** A parameter's value: a number where it counts or measures, text where it is a decimal of people ("10%"). */
export type ParameterValue = string | number

/** Parameters of a strategy by name. */
export type StrategyParameters = Readonly<Record<string, ParameterValue>>
