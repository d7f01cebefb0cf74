import { Button, Result } from 'antd'
import { useRouteError } from 'react-router'
import { sentenceOf } from '#web/engine/http/request-error.ts'

/** The server could not be reached when the page was opened. */
export function StartFailed() {
  return (
    <Result
      status="warning"
      title="暂时无法打开"
      subTitle={sentenceOf(useRouteError())}
      extra={
        <Button type="primary" onClick={() => location.reload()}>
          重试
        </Button>
      }
    />
  )
}
