/** A call of one of our tools, as the model wrote it. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }
export type ModelPart = { readonly text: string } | { readonly call: ToolCall }

type Delta = {
  content?: string | null
  tool_calls?: readonly { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
}

/** The lines of a stream, independent of the chunks it arrived in. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function deltaOf(line: string): Delta | null {
  if (!line.startsWith('data:')) return null
  const data = line.slice('data:'.length).trim()
  if (data === '' || data === '[DONE]') return null
  try {
    const chunk = JSON.parse(data) as { choices?: readonly { delta?: Delta }[] }
    return chunk.choices?.[0]?.delta ?? null
  } catch {
    // A line that is not JSON is a comment or a keep-alive of the service.
    return null
  }
}

/** The model's words as they come, then the tool calls it requests; a call's name and arguments arrive in pieces. */
export async function* readModelStream(response: Response): AsyncGenerator<ModelPart> {
  if (response.body === null) return
  const calls = new Map<number, { id: string; name: string; arguments: string }>()
  for await (const line of linesOf(response.body)) {
    const delta = deltaOf(line)
    if (delta?.content) yield { text: delta.content }
    for (const part of delta?.tool_calls ?? []) {
      const at = part.index ?? 0
      const call = calls.get(at) ?? { id: '', name: '', arguments: '' }
      call.id ||= part.id ?? ''
      call.name += part.function?.name ?? ''
      call.arguments += part.function?.arguments ?? ''
      calls.set(at, call)
    }
  }
  for (const call of calls.values()) yield { call }
}
