import { Button, Result } from 'antd'
import { useNavigate } from 'react-router'

/** The address of the 404 page. */
export const ERROR = '/error'

/** An unknown address: inside the shell for a user who is signed in. The guard decides where 首页 leads. */
export function NotFound() {
  const navigate = useNavigate()
  return (
    <Result
      status="404"
      title={<h1 style={{ fontSize: 24 }}>404</h1>}
      subTitle="抱歉，您访问的页面不存在"
      extra={[
        <Button key="home" type="primary" onClick={() => void navigate('/')}>
          返回首页
        </Button>,
        <Button key="back" onClick={() => void (history.length > 1 ? navigate(-1) : navigate('/'))}>
          返回上一页
        </Button>,
      ]}
    />
  )
}

/** The same for everybody else. */
export const PublicNotFound = () => (
  <main>
    <NotFound />
  </main>
)
