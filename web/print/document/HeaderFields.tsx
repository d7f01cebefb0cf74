import type { PrintSheet } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { widthInEm } from '#web/print/document/text-width.ts'
import css from '#web/print/Print.module.css'

/** Longer values take the width of two fields. */
const LONG = 20

/** The header fields of a sheet, line by line; empty ones are omitted. */
export function Facts({ of, info }: { readonly of: PrintSheet['header']; readonly info: Row }) {
  return (
    <dl className={css.facts}>
      {of
        .filter(([, name]) => (info[name] ?? '') !== '')
        .map(([label, name, called]) => {
          const said = `${called?.[String(info.kind)] ?? label}：`
          return (
            <div key={name} data-wide={widthInEm(said + String(info[name])) > LONG}>
              <dt>{said}</dt>
              <dd>{String(info[name])}</dd>
            </div>
          )
        })}
    </dl>
  )
}
