/** One number at a step of a process, and the list that has exactly that many rows. */
export type FlowCount = {
  readonly text: string
  readonly where: Readonly<Record<string, string>>
  /** Rows whose day lies in the period that is asked for, or within so many days from today on. */
  readonly within?: { readonly field: string; readonly span: 'period' | number }
  /** Somebody is late: drawn in the colour of warnings as soon as it is more than none. */
  readonly late?: true
}

/** A step of the process: the list of a kind, with what waits there. It is drawn for whoever has its page. */
export type FlowStep = {
  /** A paper, a record or a report. */
  readonly kind: string
  readonly title: string
  readonly counts: readonly FlowCount[]
  /** Of a record: the field that says with whom. Papers have their counterparty. */
  readonly partner?: string
  /** Sums of money beside the counts, by their names among the figures; `kind` (else the step's own) and `where` lead to what stands behind one. */
  readonly money?: readonly {
    readonly figure: string
    readonly text: string
    readonly kind?: string
    readonly where?: Readonly<Record<string, string>>
    readonly late?: true
  }[]
}

/** A figure of the period; `kind` and `where` lead to what stands behind it. */
export type FlowCard = {
  readonly figure: string
  readonly title: string
  readonly as: 'amount' | 'count' | 'rate'
  readonly kind: string
  readonly where?: Readonly<Record<string, string>>
  /** Of a record: the field that says with whom. Papers have their counterparty. */
  readonly partner?: string
}

/** A process of the house drawn as a chart: its steps in order, its figures, and who it is done with. */
export type Flow = {
  readonly name: string
  readonly partner: { readonly label: string; readonly relation: 'supplier' | 'customer' }
  readonly handler: string
  readonly steps: readonly FlowStep[]
  readonly cards: readonly FlowCard[]
  /** What the bars by partner show, and where each leads; of a record, the field that says with whom. */
  readonly bars: { readonly title: string; readonly kind: string; readonly partner?: string }
  readonly trend?: { readonly title: string; readonly kind: string }
}
