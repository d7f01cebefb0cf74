import { Select } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { parseCode } from '#kernel/codes/parse-code.ts'
import type { CodeKind } from '#kernel/codes/parsed-code.ts'
import { CodeTrial } from '#modules/trade/catalogue/barcodes/barcode-test.web.tsx'
import type { Customisation } from '#web/engine/customisation.ts'
import { get } from '#web/engine/http/request.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'

type Unit = { readonly unit_inner_sn: string; readonly name: string; readonly conversion: string | null }

/** The units of the chosen size, smallest first. */
function UnitInput({ id, value, row, onChange, disabled, invalid, field }: InputProps) {
  const size = typeof row.specification_sn === 'string' ? row.specification_sn : null
  const asked = useQuery({
    queryKey: ['unitTree', 'of', size],
    enabled: size !== null,
    queryFn: async () => (await get<unknown, Unit>('/v1/business/unitTree/list', { specification_sn: size })).list,
  })
  const units = asked.data ?? []
  return (
    <Select
      id={id}
      aria-label={field.label}
      allowClear
      disabled={disabled || size === null}
      status={invalid ? 'error' : ''}
      style={{ width: '100%' }}
      placeholder={size === null ? '请先选择规格型号' : '不选时自动推算'}
      value={typeof value === 'string' ? value : null}
      options={units.map(unit => ({
        value: unit.unit_inner_sn,
        label: unit.conversion ?? unit.name,
      }))}
      onChange={(chosen: string | undefined) => onChange(chosen ?? null)}
    />
  )
}

const TYPES: Readonly<Partial<Record<CodeKind, string>>> = { ma: 'ma', hibc: 'hibc' }

/** The initial values for registering an unknown code. */
const barcodeFor = (code: string): Readonly<Record<string, string>> => {
  const parsed = parseCode(code)
  return parsed.ok && parsed.di !== null
    ? { code: parsed.di, code_type: TYPES[parsed.kind] ?? 'udi_di' }
    : { code: code.trim(), code_type: 'custom' }
}

export const productBarcodeLook: Customisation = {
  of: 'productBarcode',
  inputs: { unit_inner_sn: UnitInput },
  above: [CodeTrial],
  unknownCode: { label: '维护条码', begin: barcodeFor },
}
