/** Tools of the assistant. Modules import the engine through files like this one and no other. */

/** Tools of the assistant. */
export {
  textOf,
  type Args,
  type Finding,
  type Link,
  type Tool,
  type ToolParameters,
} from '#server/assistant/tool.ts'

/** The period that a question names. */
export { periodIn } from '#server/assistant/period.ts'
