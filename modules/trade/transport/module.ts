import type { Module } from '#kernel/module.ts'
import { recorderTable } from '#modules/trade/transport/cold-chain/recorder-table.ts'
import { logistics } from '#modules/trade/transport/logistics/logistics.doc.ts'

export const transportModule: Module = {
  documents: [logistics],
  foreignTables: [recorderTable],
}
