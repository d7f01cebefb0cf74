import { Button, Result } from 'antd'
import { Component, type ReactNode } from 'react'

const isLostChunk = (error: Error): boolean =>
  /dynamically imported module|Importing a module script failed|Failed to fetch/i.test(error.message)

/** A page that broke leaves the others standing. A missing script means that a newer version was installed meanwhile. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const outdated = isLostChunk(error)
    return (
      <Result
        status={outdated ? 'info' : 'error'}
        title={outdated ? '系统已更新' : '页面出错了'}
        subTitle={outdated ? '请刷新以使用新版本，其他页签中未保存的内容请先保存。' : error.message}
        extra={[
          <Button key="reload" type="primary" onClick={() => location.reload()}>
            刷新页面
          </Button>,
          ...(outdated
            ? []
            : [
                <Button key="again" onClick={() => this.setState({ error: null })}>
                  重试
                </Button>,
              ]),
        ]}
      />
    )
  }
}
