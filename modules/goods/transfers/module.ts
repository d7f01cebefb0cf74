import type { Module } from '#kernel/module.ts'
import { transferArrival } from '#modules/goods/transfers/transfer-arrival.doc.ts'
import { transferReceipt } from '#modules/goods/transfers/transfer-receipt.doc.ts'
import { transferReturn } from '#modules/goods/transfers/transfer-return.doc.ts'
import { transfer } from '#modules/goods/transfers/transfer.doc.ts'

export const transfersModule: Module = {
  documents: [transfer, transferReceipt, transferArrival, transferReturn],
}
