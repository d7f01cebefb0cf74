import { Modal } from 'antd'
import { faces } from '#web/fields/field-renderers.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

type Props = {
  readonly column: GridColumn
  /** The line's position, from 0. */
  readonly at: number
  readonly values: Row
  readonly editable: boolean
  readonly onChange: (value: unknown) => void
  readonly onClose: () => void
}

/**
 * The files of one line: viewed, and uploaded or removed while the document is editable. A cell has no space for
 * them.
 */
export function FilesDialog({ column, at, values, editable, onChange, onClose }: Props) {
  const { Input } = faces[column.field.as]
  const of = [values.product_name, values.specification_name].filter(Boolean).join(' ')
  return (
    <Modal
      open
      title={`第${at + 1}行 ${column.title}`}
      width={MODAL_WIDTH}
      okText="完成"
      cancelButtonProps={{ hidden: true }}
      onOk={onClose}
      onCancel={onClose}
    >
      {of !== '' && <p className="faint">{of}</p>}
      <Input
        id={`files-${column.name}-${at}`}
        field={column.field}
        name={column.name}
        value={values[column.name]}
        row={values}
        disabled={!editable}
        invalid={false}
        onChange={onChange}
      />
    </Modal>
  )
}
