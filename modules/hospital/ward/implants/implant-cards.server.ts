type Row = Readonly<Record<string, unknown>>

/** The number of implants on one card; the rest is on the next. */
const MOST_ON_CARD = 4

const saidOf = (line: Row): string =>
  [line.product_name, line.specification_name, line.lot_no && `批号${String(line.lot_no)}`].filter(Boolean).join(' ')

/**
 * The cards that the patient carries: whose they are, which operation, up to four implants each; their symbol opens the
 * goods without sign-in.
 */
export function cardsOf(info: Row, lines: readonly Row[]): readonly Row[] {
  const cards = Array.from({ length: Math.ceil(lines.length / MOST_ON_CARD) }, (_, at) =>
    lines.slice(at * MOST_ON_CARD, (at + 1) * MOST_ON_CARD),
  )
  return cards.map((some, at) => ({
    title: cards.length > 1 ? `患者植入卡 ${at + 1}/${cards.length}` : '患者植入卡',
    sn: info.sn,
    patient: info.patient_name,
    operation: [info.business_date, info.surgery_name].filter(Boolean).join(' '),
    ...Object.fromEntries(some.map((line, place) => [`implant_${place + 1}`, saidOf(line)])),
    hospital: info.org_name,
    link: `/i/${String(info.card_token)}`,
  }))
}
