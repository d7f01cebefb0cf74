import type { PrintSheet } from '#kernel/print/print-definition.ts'
import { labelSheetAt } from '#kernel/print/label-formats.ts'
import { prints } from '#kernel/registry.ts'
import { PICTURE_PRINT } from '#web/print/pictures/pictures.ts'
import { LIST_PRINT } from '#web/print/list/list-print.ts'

/** The sheet of documents at an address, and the kind it is printed for: the one in the address, or its first. */
export function sheetAt(pathname: string, asked: string | null): { sheet: PrintSheet; kind: string } | null {
  const sheet = prints().find(({ route }) => route === pathname)
  const kind = asked ?? Object.keys(sheet?.kinds ?? {})[0] ?? ''
  return sheet === undefined || !(kind in sheet.kinds) ? null : { sheet, kind }
}

/** True if something is printed at an address. */
export const isPrintAddress = (pathname: string, kind: string | null): boolean =>
  pathname === LIST_PRINT ||
  pathname === PICTURE_PRINT ||
  labelSheetAt(pathname) !== undefined ||
  sheetAt(pathname, kind) !== null
