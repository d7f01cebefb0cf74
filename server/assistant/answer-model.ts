import type { Section } from '#server/assistant/help.ts'
import type { Args, Finding, Link, Tool } from '#server/assistant/tool.ts'

/** A part of the help that an answer quotes. */
export type Quote = { readonly id: string; readonly content: string }

/** A part of an answer as it arrives: text to append, and its sources. */
export type Piece = {
  readonly answer: string
  readonly reference?: readonly Link[]
  readonly rich_text_ref?: readonly Quote[]
}

/** Everything that an answer model may use: it has no other access to the system. */
export type Toolbox = {
  readonly question: string
  /** The user, in words: the organisation's type and name. */
  readonly asker: string
  readonly today: string
  readonly tools: readonly Tool[]
  /** Runs a tool as the asking user; what the user may not see comes back as a refusal in words. */
  readonly use: (tool: Tool, args: Args) => Promise<Finding>
  readonly help: (question: string) => readonly Section[]
  /** The user has left: further work is useless. */
  readonly signal: AbortSignal
}

/** Answers a question piece by piece. */
export type AnswerModel = (toolbox: Toolbox) => AsyncIterable<Piece>

export const quoteOf = (section: Section): Quote => ({
  id: section.id,
  content: `**${section.chapter} · ${section.title}**\n\n${section.text}`,
})
