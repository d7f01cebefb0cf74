import { PaperClipOutlined } from '@ant-design/icons'
import { type CellProps, type FieldFace, isEmpty, NOTHING } from '#web/fields/face.ts'
import { codesOf } from '#web/fields/code-list.ts'
import { TextFilter } from '#web/fields/text.tsx'

const text = ({ value }: CellProps): string => (isEmpty(value) ? NOTHING : `${codesOf(value).length}个文件`)

/** Names of stored files. They are added where the upload stands; a form only lists them. */
export const filesFace: FieldFace = {
  text,
  width: 100,
  Cell: props => <span>{text(props)}</span>,
  Input: ({ value }) => (
    <span>
      {isEmpty(value) ? (
        <span className="faint">无附件</span>
      ) : (
        codesOf(value).map(name => (
          <a key={name} href={`/file/${name}`} target="_blank" rel="noreferrer">
            <PaperClipOutlined /> {name}{' '}
          </a>
        ))
      )}
    </span>
  ),
  Filter: TextFilter,
}
