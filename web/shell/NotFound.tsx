import { Button, Result } from 'antd'

export function NotFound() {
  return (
    <Result
      status="404"
      title="没有找到这个页面"
      subTitle="地址可能已变更，或您的机构没有这个页面。"
      extra={
        <Button type="primary" href="/">
          返回工作台
        </Button>
      }
    />
  )
}
