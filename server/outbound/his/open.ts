import type { Sql } from 'postgres'
import type { Tx } from '#server/database/transaction.ts'
import { asAsked } from '#server/outbound/his/as-asked.ts'
import { watched } from '#server/outbound/calls.ts'
import type { HisAddress, HisAddresses, HisConnection } from '#server/outbound/his/connected.ts'
import type { His } from '#server/outbound/his/contract.ts'
import { FHIR_TYPE, fhirHis, outcomeWords } from '#server/outbound/his/fhir/adapter.ts'
import { hisHttp, type Watch } from '#server/outbound/his/http.ts'
import { JSON_TYPE, jsonHis, wordsIn } from '#server/outbound/his/json/adapter.ts'
import { type FieldMap, fieldMap, plainNames } from '#server/outbound/his/json/field-map.ts'
import { hooks } from '#server/registry/hooks.ts'

/** Reads are attempts in the hospital's own books, which name no patient. */
const watchOf =
  (sql: Sql, org: string): Watch =>
  (title, call) =>
    watched(sql, { org, system: 'his', name: title, request: '{}' }, call)

/** The HIS at an address, spoken to in its dialect. */
export function hisAt({ adapter, baseUrl, token }: HisAddress, watch: Watch, map: FieldMap = fieldMap([])): His {
  const spoken = { baseUrl, token, watch }
  return asAsked(
    adapter === 'fhir'
      ? fhirHis(hisHttp({ ...spoken, type: FHIR_TYPE, words: outcomeWords }))
      : jsonHis(hisHttp({ ...spoken, type: JSON_TYPE, words: wordsIn(map), plain: plainNames(map) }), map),
  )
}

export const hisConnectionOf = (sql: Sql, addresses: HisAddresses): HisConnection => ({
  addresses,
  open: async (tx: Tx, org: string, address: HisAddress) =>
    hisAt(address, watchOf(sql, org), fieldMap(address.adapter === 'json' ? await hooks().hisFields(tx, org) : [])),
})
