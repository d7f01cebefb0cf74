/** The content of a packaging level, in the usual notation: 1箱=10套. */
export const packLabel = (unit: string, measure: string, smaller: string): string => `1${unit}=${measure}${smaller}`
