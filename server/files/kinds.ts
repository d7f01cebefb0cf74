/** A permitted upload type: recognised by its first bytes, whatever its name. */
export type FileKind = {
  readonly extension: string
  readonly contentType: string
  /** Shown in the page; everything else is downloaded. */
  readonly inline: boolean
  readonly mostBytes: number
  /** An executable: accepted only from the platform. */
  readonly isProgram?: boolean
}

const MB = 1024 * 1024
export const mostDocumentBytes = 20 * MB
export const mostMovieBytes = 500 * MB

type Known = FileKind & {
  readonly starts: readonly (readonly [at: number, bytes: string])[]
  readonly named?: RegExp
  /** It has no mark of its own: its first bytes are those of a text. */
  readonly isText?: boolean
}
const kind = (
  extension: string,
  contentType: string,
  starts: Known['starts'],
  more: Partial<Pick<Known, 'inline' | 'mostBytes' | 'named' | 'isProgram' | 'isText'>> = {},
): Known => ({ extension, contentType, starts, inline: false, mostBytes: mostDocumentBytes, ...more })

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const ZIP: Known['starts'] = [[0, 'PK\u0003\u0004']]
const OLE: Known['starts'] = [[0, '\u00d0\u00cf\u0011\u00e0']]

const program = { isProgram: true, mostBytes: mostMovieBytes } as const

/** An office file is a zip or an OLE container: its name says which; a zip without such a name is refused. */
const known: readonly Known[] = [
  kind('png', 'image/png', [[0, '\u0089PNG']], { inline: true }),
  kind('jpg', 'image/jpeg', [[0, '\u00ff\u00d8\u00ff']], { inline: true }),
  kind('gif', 'image/gif', [[0, 'GIF8']], { inline: true }),
  kind(
    'webp',
    'image/webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
    { inline: true },
  ),
  kind('pdf', 'application/pdf', [[0, '%PDF-']], { inline: true }),
  kind('mp4', 'video/mp4', [[4, 'ftyp']], { inline: true, mostBytes: mostMovieBytes }),
  // Workbooks are often called by the other name; their readers go by the content.
  kind('xlsx', `${OFFICE}.spreadsheetml.sheet`, ZIP, { named: /\.xlsx?$/i }),
  kind('docx', `${OFFICE}.wordprocessingml.document`, ZIP, { named: /\.docx$/i }),
  // Electronic invoices: a sheet in a zip, and their data; they are downloaded, never shown.
  kind('ofd', 'application/ofd', ZIP, { named: /\.ofd$/i }),
  kind('xml', 'application/xml', [[0, '<?xml']], { named: /\.xml$/i, mostBytes: 5 * MB }),
  // The regulator's packages of device identifiers have this name.
  kind('zip', 'application/zip', ZIP, { named: /^UDID.*\.zip$/i, mostBytes: mostMovieBytes }),
  kind('xls', 'application/vnd.ms-excel', OLE, { named: /\.xlsx?$/i }),
  // Banks and old systems save a web page or a text under the name of a workbook.
  kind('xls', 'application/vnd.ms-excel', [], { named: /\.xls$/i, isText: true, mostBytes: 5 * MB }),
  // Files of recorders and scales: they are downloaded, never shown.
  kind('csv', 'text/csv', [], { named: /\.(csv|txt)$/i, isText: true, mostBytes: 5 * MB }),
  kind('doc', 'application/msword', OLE, { named: /\.doc$/i }),
  kind('apk', 'application/vnd.android.package-archive', ZIP, { named: /\.apk$/i, ...program }),
  kind('ipa', 'application/octet-stream', ZIP, { named: /\.ipa$/i, ...program }),
  kind('exe', 'application/vnd.microsoft.portable-executable', [[0, 'MZ']], { named: /\.exe$/i, ...program }),
  kind('msi', 'application/x-msi', OLE, { named: /\.msi$/i, ...program }),
]

/** A text has no control characters; UTF-16 says by its mark that it is one. */
const isText = (head: Buffer): boolean =>
  [0xff_fe, 0xfe_ff].includes(head.length > 1 ? head.readUInt16BE(0) : 0) ||
  head.every(byte => byte >= 0x20 || [0x09, 0x0a, 0x0d].includes(byte))

/** The number of first bytes that are needed to recognise the type. */
export const SIGNATURE_BYTES = 16

export const kindOf = (head: Buffer, name: string): FileKind | null => {
  const text = head.toString('latin1')
  return (
    known.find(
      each =>
        (each.isText !== true || isText(head)) &&
        each.starts.every(([at, bytes]) => text.startsWith(bytes, at)) &&
        (each.named === undefined || each.named.test(name)),
    ) ?? null
  )
}

export const acceptedExtensions = [...new Set(known.filter(each => !each.isProgram).map(each => each.extension))]
/** Extensions of files that the platform may upload: also packages of the programs that it offers. */
export const platformExtensions = [...new Set(known.map(each => each.extension))]
/** A name in the store: it contains nothing of the user's file name. */
export const storedName = /^[\w-]{22}\.[a-z0-9]{2,5}$/
/** Pictures that have thumbnails. */
export const isPicture = (name: string): boolean => /\.(png|jpg|gif|webp)$/.test(name)
