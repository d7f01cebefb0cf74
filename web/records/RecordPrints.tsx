import type { AnyEntity } from '#kernel/definition/entity.ts'
import { usePage } from '#web/engine/page-context.ts'
import { openPrint, PrintChosen } from '#web/list/actions/PrintSelected.tsx'

type Props = { readonly definition: AnyEntity; readonly chosen: readonly string[] }

/** The labels and sheets that ticked rows can print. */
export function RecordPrints({ definition, chosen }: Props) {
  // Rows of another organisation are printed in its context, as they are viewed.
  const { of_org_sn } = usePage().query
  return (definition.prints ?? []).map(({ route, label, by = 'units', as }) => (
    <PrintChosen
      key={label}
      label={label}
      chosen={chosen}
      nothing="请先勾选表格中的复选框，再进行该操作。"
      onPrint={keys =>
        openPrint(route, {
          [by]: keys.join(','),
          ...(by === 'sn' ? { kind: definition.kind } : { of: definition.kind }),
          ...(as === undefined ? {} : { as }),
          ...(of_org_sn ? { of_org_sn } : {}),
        })
      }
    />
  ))
}
