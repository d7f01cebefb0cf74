import type { Module } from '#kernel/module.ts'
import { leaseArea, leaseStock, rentedArea } from '#modules/trade/lease/areas/lease-area.entity.ts'
import { leaseFee, leaseLine, lessee } from '#modules/trade/lease/contracts/lessee.entity.ts'
import { leaseNoticeIn } from '#modules/trade/lease/notices/lease-notice-in.doc.ts'
import { leaseNoticeOut } from '#modules/trade/lease/notices/lease-notice-out.doc.ts'

export const leaseModule: Module = {
  documents: [leaseNoticeIn, leaseNoticeOut],
  entities: [lessee, leaseLine, leaseFee, leaseArea, rentedArea, leaseStock],
}
