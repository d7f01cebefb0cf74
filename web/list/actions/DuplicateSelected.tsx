import { CopyOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'

type Props = { readonly chosen: readonly string[]; readonly onCopy: (sn: string) => void }

/** Duplicates the ticked document; only for a single one. */
export function CopyChosen({ chosen, onCopy }: Props) {
  const { message } = App.useApp()
  const copy = () => {
    const [sn] = chosen
    if (sn === undefined) return void message.warning('请先选中表格中一行数据，再进行相关操作。')
    if (chosen.length > 1) return void message.warning(`一次只能复制一张单据，已选${chosen.length}张，请只保留一张`)
    onCopy(sn)
  }
  return (
    <Button icon={<CopyOutlined />} onClick={copy}>
      复制
    </Button>
  )
}
