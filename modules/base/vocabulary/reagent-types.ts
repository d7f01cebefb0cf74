/** The purposes of a laboratory's bottle. */
export const reagentTypes = { reagent: '试剂', calibrator: '校准品', control: '质控品', supply: '耗品' } as const
