import type { ActionSpec, AnyDocument } from '#kernel/definition/document.ts'

/** Whether an action has anything to do with such a paper: what could never be done to it is offered to nobody. */
export const isMeantFor = (
  { unavailableWhen: unless = {} }: Pick<ActionSpec<never>, 'unavailableWhen'>,
  doc: Readonly<Record<string, unknown>>,
): boolean => !Object.entries(unless).some(([name, words]) => words.includes(String(doc[name] ?? '')))

/** Whether a paper of the kind can be begun from another of its kind: one that needs a source is begun from that. */
export const canBeCopied = (definition: AnyDocument): boolean => definition.lifecycle.manualEntry !== false
