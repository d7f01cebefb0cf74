import { NodeIndexOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { traceScreen } from '#modules/goods/trace/trace.screen.ts'

/** A link from goods to their trace. */
export function TraceLink({ code, label }: { code: string; label: string }) {
  const navigate = useNavigate()
  return (
    <Button
      icon={<NodeIndexOutlined />}
      style={{ marginTop: 20 }}
      onClick={() => void navigate(`${traceScreen.route}?code=${encodeURIComponent(code)}`)}
    >
      {label}
    </Button>
  )
}
