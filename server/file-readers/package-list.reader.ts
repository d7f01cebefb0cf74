import { type XmlListener, xmlReader } from '#server/file-readers/xml.ts'

type Item = { readonly title: string; readonly address: string }

/** The items of an RSS list that have a title and an address. */
export default function packageList(bytes: Buffer): readonly Item[] {
  const items: Item[] = []
  let [title, link, enclosure] = ['', '', '']
  let name: string | null = null
  const listener: XmlListener = {
    open(opened, { url }) {
      if (opened === 'item') [title, link, enclosure] = ['', '', '']
      if (opened === 'enclosure') enclosure = url ?? ''
      name = opened
    },
    text(said) {
      if (name === 'title') title += said
      if (name === 'link') link += said
    },
    close(closed) {
      name = null
      const address = (enclosure || link).trim()
      if (closed === 'item' && title.trim() !== '' && address !== '')
        items.push({ title: title.trim().replace(/\.zip$/i, ''), address })
    },
  }
  const reader = xmlReader(listener)
  reader.write(bytes.toString('utf8'))
  reader.end()
  return items
}
