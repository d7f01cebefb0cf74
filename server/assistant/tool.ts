import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A page, or a row on one, that an answer stands on. */
export type Link = { readonly title: string; readonly uri: string }

/** What a tool found: sentences for people (markdown), rows for a model to reason about, and where both come from. */
export type Finding = {
  readonly text: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly links: readonly Link[]
}

export type Args = Readonly<Record<string, unknown>>

/** A JSON schema of flat parameters, as function calling wants it. */
export type ToolParameters = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, { type: 'string'; description: string; enum?: readonly string[] }>>
  readonly required?: readonly string[]
}

/**
 * A read-only question about the person's own figures. Both minds ask the same tools: a model by name and arguments, the
 * built-in mind by what the tool hears in the question. A tool reads only through the queries of the pages, as the
 * person who asks; what a page would refuse, it refuses.
 */
export type Tool = {
  readonly name: string
  readonly description: string
  readonly parameters: ToolParameters
  /** The arguments that stand in a question, or null when the question is not for this tool. Pure. */
  readonly matches: (question: string) => Args | null
  readonly run: (tx: Tx, session: Session, args: Args) => Promise<Finding>
}

/** One argument as text; a model may leave it out or send something else. */
export const textOf = (args: Args, name: string): string => {
  const value = args[name]
  return typeof value === 'string' ? value.trim().slice(0, 100) : ''
}
