import type { Section } from '#server/assistant/help.ts'
import type { Args, Finding, Link, Tool } from '#server/assistant/tool.ts'

/** A part of the help that an answer quotes. */
export type Quote = { readonly id: string; readonly content: string }

/** A piece of an answer as it comes: words to append, and what they stand on. */
export type Piece = {
  readonly answer: string
  readonly reference?: readonly Link[]
  readonly rich_text_ref?: readonly Quote[]
}

/** What a mind may use: nothing else of the house is in its reach. */
export type Toolbox = {
  readonly question: string
  /** Who asks, in words: the organisation's kind and name. */
  readonly asker: string
  readonly today: string
  readonly tools: readonly Tool[]
  /** Runs a tool as the person who asks; what he may not see comes back as a refusal in words. */
  readonly use: (tool: Tool, args: Args) => Promise<Finding>
  readonly help: (question: string) => readonly Section[]
  /** The person went away: nothing further is worth doing. */
  readonly signal: AbortSignal
}

/** Answers a question piece by piece. */
export type AnswerModel = (toolbox: Toolbox) => AsyncIterable<Piece>

export const quoteOf = (section: Section): Quote => ({
  id: section.id,
  content: `**${section.chapter} · ${section.title}**\n\n${section.text}`,
})
