/** The setting `MAX_CHANGES` of tests and benchmarks, which do in a second what people do in an hour. */
export const NO_PACE = '99999'
