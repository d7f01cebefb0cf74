import type { ActionSpec, AnyDocument } from '#kernel/document.ts'

/** Whether an action has anything to do with such a paper: what could never be done to it is offered to nobody. */
export const isMeantFor = (
  { unless = {} }: Pick<ActionSpec<never>, 'unless'>,
  paper: Readonly<Record<string, unknown>>,
): boolean => !Object.entries(unless).some(([name, words]) => words.includes(String(paper[name] ?? '')))

/** Whether a paper of the kind can be begun from another of its kind: one that needs a source is begun from that. */
export const canBeCopied = (definition: AnyDocument): boolean => definition.byHand !== false
