/** The three risk classes by which devices are regulated. */
export const deviceClasses = { I: 'Ⅰ类', II: 'Ⅱ类', III: 'Ⅲ类' } as const

export type DeviceClass = keyof typeof deviceClasses

const classOfDigit: Readonly<Record<string, DeviceClass>> = { 1: 'I', 2: 'II', 3: 'III' }

/**
 * The class in the number of a certificate: its digit after the year (国械注准2019 3 13 0123), or I for a filing (械备). Null
 * if the number has none.
 */
export function classSaid(certificateNo: string): DeviceClass | null {
  if (certificateNo.includes('械备')) return 'I'
  return classOfDigit[/(?:械注[准进许]|字)\d{4}第?(\d)/.exec(certificateNo)?.[1] ?? ''] ?? null
}
