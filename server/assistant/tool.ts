import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A page, or a row on one, that an answer is based on. */
export type Link = { readonly title: string; readonly uri: string }

/** The result of a tool: sentences for users (markdown), rows for a model to evaluate, and the source of both. */
export type Finding = {
  readonly text: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly links: readonly Link[]
}

export type Args = Readonly<Record<string, unknown>>

/** A JSON schema of flat parameters, as required by function calling. */
export type ToolParameters = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, { type: 'string'; description: string; enum?: readonly string[] }>>
  readonly required?: readonly string[]
}

/**
 * A read-only query of the user's own figures. Both models use the same tools: an external model by name and
 * arguments, the built-in one by what the tool matches in the question. A tool reads only through the queries of the
 * pages, as the asking user; what a page would refuse, it refuses.
 */
export type Tool = {
  readonly name: string
  readonly description: string
  readonly parameters: ToolParameters
  /** The arguments found in a question, or null when the question is not for this tool. Pure. */
  readonly matches: (question: string) => Args | null
  readonly run: (tx: Tx, session: Session, args: Args) => Promise<Finding>
}

/** One argument as text; a model may leave it out or send something else. */
export const textOf = (args: Args, name: string): string => {
  const value = args[name]
  return typeof value === 'string' ? value.trim().slice(0, 100) : ''
}
