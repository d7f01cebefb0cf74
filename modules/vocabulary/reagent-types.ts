/** What a laboratory's bottle is for. */
export const reagentTypes = { reagent: '试剂', calibrator: '校准品', control: '质控品', supply: '耗品' } as const
