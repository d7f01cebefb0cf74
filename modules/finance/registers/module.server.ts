import type { ModuleHooks } from '#server/public/hooks.ts'
import { purchaseRecordRules, salesRecordRules } from '#modules/finance/registers/registers.server.ts'
import { voidTradeRegister, writeTradeRegister } from '#modules/finance/registers/trade-register.server.ts'

export const registersHooks: ModuleHooks = {
  records: [purchaseRecordRules, salesRecordRules],
  effects: [{ onEffective: writeTradeRegister, onVoided: voidTradeRegister }],
}
