import { Parser } from 'htmlparser2'
import { BusinessError } from '#kernel/rules/errors.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

/** No document that is exchanged comes near: beyond these it was made to do harm. */
const DEEPEST = 200
const MOST_ATTRIBUTES = 200
const LONGEST_NAME = 256
const LONGEST_ATTRIBUTE = 64 * 1024

const refuse = (msg: string): never => {
  throw new BusinessError('invalid', msg)
}
const barred = (name: string): string => name.slice(name.indexOf(':') + 1)

export type Attributes = Readonly<Record<string, string>>
/** Events of a document as it is read: elements and attributes by their names without a prefix. */
export type XmlListener = {
  readonly open?: (name: string, attributes: Attributes) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/**
 * Reads XML, or a web page, in pieces of any size; time and memory grow with its length alone. Entities of its own are
 * never expanded: a document that declares any is refused, and so is one that is too deep or has too many attributes.
 */
export function xmlReader(listener: XmlListener, as: 'xml' | 'page' = 'xml'): Pick<Parser, 'write' | 'end'> {
  onlyInFileWorker('XML')
  let [depth, attributes] = [0, 0]
  return new Parser(
    {
      onopentagname(name) {
        depth += 1
        attributes = 0
        if (depth > DEEPEST) refuse('文件的层次过深，无法读取')
        if (name.length > LONGEST_NAME) refuse('文件中的元素名称过长，无法读取')
      },
      onattribute(name, value) {
        attributes += 1
        if (attributes > MOST_ATTRIBUTES) refuse('文件中的一个元素属性过多，无法读取')
        if (name.length > LONGEST_NAME || value.length > LONGEST_ATTRIBUTE) refuse('文件中的一个属性过长，无法读取')
      },
      onopentag(name, given) {
        listener.open?.(
          barred(name),
          Object.fromEntries(Object.entries(given).map(([key, value]) => [barred(key), value])),
        )
      },
      ontext: text => listener.text?.(text),
      onclosetag(name) {
        depth -= 1
        listener.close?.(barred(name))
      },
      onprocessinginstruction(name) {
        if (as === 'xml' && /^!(doctype|entity)/i.test(name)) refuse('数据文件不能包含DTD声明')
      },
    },
    { xmlMode: as === 'xml', decodeEntities: true },
  )
}

/** A record of an XML document: the first text of each element, by its name and by `parent/name`. */
export type XmlRecord = Readonly<Record<string, string>>

/**
 * The first text of each element of a document, and the same for each element of some names, the rows of a list. A
 * `CustomData` of OFD is called by its own `Name`.
 */
export function xmlRecords(rowNames: readonly string[]): {
  readonly listener: XmlListener
  readonly whole: XmlRecord
  readonly rows: readonly XmlRecord[]
} {
  const whole: Record<string, string> = Object.create(null)
  const rows: Record<string, string>[] = []
  let current: Record<string, string> | null = null
  const path: string[] = []
  let said: string[] = []
  const note = () => {
    const text = said.join('').trim()
    said = []
    const [parent, name] = [path.at(-2), path.at(-1)]
    if (name === undefined || text === '') return
    for (const key of parent === undefined ? [name] : [name, `${parent}/${name}`]) {
      whole[key] ??= text
      if (current !== null) current[key] ??= text
    }
  }
  const listener: XmlListener = {
    open(opened, attributes) {
      note()
      if (rowNames.includes(opened)) rows.push((current = Object.create(null) as Record<string, string>))
      path.push(opened === 'CustomData' && attributes.Name ? attributes.Name : opened)
    },
    text: text => void said.push(text),
    close(closed) {
      note()
      path.pop()
      if (rowNames.includes(closed)) current = null
    },
  }
  return { listener, whole, rows }
}
