/** The three risk classes by which devices are regulated. */
export const deviceClasses = { I: 'Ⅰ类', II: 'Ⅱ类', III: 'Ⅲ类' } as const
