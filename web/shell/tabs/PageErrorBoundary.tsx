import { Button, Result } from 'antd'
import { ChunkFailed } from '#web/engine/http/load-chunk.ts'
import { Component, type ReactNode } from 'react'

/** A crashed page does not affect the others. A missing script means that a newer version was installed meanwhile. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const outdated = error instanceof ChunkFailed
    return (
      <Result
        status={outdated ? 'warning' : 'error'}
        title={outdated ? '页面加载失败' : '页面出错了'}
        subTitle={
          outdated
            ? `${error.message}系统更新后也需要刷新；其他页签中未保存的内容请先保存。`
            : '页面显示异常，请刷新页面；仍不能使用请联系管理员。'
        }
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
