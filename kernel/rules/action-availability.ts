import type { ActionSpec, AnyDocument } from '#kernel/definition/document.ts'

/** True if an action applies to such a document: an action that could never run on it is not offered. */
export const isMeantFor = (
  { unavailableWhen: unless = {} }: Pick<ActionSpec<never>, 'unavailableWhen'>,
  doc: Readonly<Record<string, unknown>>,
): boolean => !Object.entries(unless).some(([name, words]) => words.includes(String(doc[name] ?? '')))

/** True if a document of the kind can be copied from another of its kind: one that needs a source is made from that. */
export const canBeCopied = (definition: AnyDocument): boolean => definition.lifecycle.manualEntry !== false
