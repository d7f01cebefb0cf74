import type { Module } from '#kernel/module.ts'
import { cabinetSlot, cupboard, doorPermission } from '#modules/hospital/cabinet/equipment/cabinet-door.entity.ts'
import { cabinet } from '#modules/hospital/cabinet/equipment/cabinet.entity.ts'
import { cabinetStock } from '#modules/hospital/cabinet/replenishment/cabinet-stock.entity.ts'
import { lowValueSlot } from '#modules/hospital/cabinet/replenishment/low-value-slot.entity.ts'
import { cabinetComparison } from '#modules/hospital/cabinet/stock-check/cabinet-comparison.entity.ts'
import { cabinetTransaction } from '#modules/hospital/cabinet/transactions/cabinet-transaction.entity.ts'
import { weighingPlate } from '#modules/hospital/cabinet/weighing/weighing-plate.entity.ts'
import { weighing } from '#modules/hospital/cabinet/weighing/weighing.doc.ts'

export const cabinetModule: Module = {
  documents: [weighing],
  entities: [
    weighingPlate,
    cabinet,
    cupboard,
    cabinetSlot,
    doorPermission,
    cabinetTransaction,
    cabinetComparison,
    cabinetStock,
    lowValueSlot,
  ],
}
