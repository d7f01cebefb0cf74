/** What a packaging level contains, as everybody reads it: 1箱=10套. */
export const packLabel = (unit: string, measure: string, smaller: string): string => `1${unit}=${measure}${smaller}`
