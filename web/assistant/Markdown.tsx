import type { ReactNode } from 'react'
import { memo } from 'react'
import { type Block, blocksOf, type Inline } from '#web/assistant/markdown.ts'
import css from '#web/assistant/Markdown.module.css'

type Go = (to: string) => void

function drawnInline(parts: readonly Inline[], go: Go): ReactNode {
  return parts.map((part, at) => {
    switch (part.is) {
      case 'text':
        return <span key={at}>{part.text}</span>
      case 'code':
        return <code key={at}>{part.text}</code>
      case 'strong':
        return <strong key={at}>{drawnInline(part.parts, go)}</strong>
      case 'em':
        return <em key={at}>{drawnInline(part.parts, go)}</em>
      case 'link':
        return (
          <a
            key={at}
            href={part.to}
            onClick={event => {
              event.preventDefault()
              go(part.to)
            }}
          >
            {drawnInline(part.parts, go)}
          </a>
        )
    }
  })
}

function drawnBlock(block: Block, key: number, go: Go): ReactNode {
  switch (block.is) {
    case 'paragraph':
      return <p key={key}>{drawnInline(block.parts, go)}</p>
    case 'heading':
      return (
        <p
          key={key}
          className={css.heading}
          role="heading"
          aria-level={Math.min(6, block.level + 2)}
          data-level={block.level}
        >
          {drawnInline(block.parts, go)}
        </p>
      )
    case 'code':
      return <pre key={key}>{block.text}</pre>
    case 'rule':
      return <hr key={key} />
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{drawnInline(item, go)}</li>)
      return block.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>
    }
    case 'table':
      return (
        // Wide tables scroll on their own, by keyboard too.
        <div key={key} className={css.wide} tabIndex={0} role="group" aria-label="表格">
          <table>
            <thead>
              <tr>
                {block.heads.map((head, at) => (
                  <th key={at}>{drawnInline(head, go)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, index) => (
                    <td key={index}>{drawnInline(cell, go)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

/** Markdown rendered as our own elements. Internal links navigate without reloading the web app. */
export const Markdown = memo(function Markdown({ text, onGo }: { text: string; onGo: Go }) {
  return <div className={css.text}>{blocksOf(text).map((block, at) => drawnBlock(block, at, onGo))}</div>
})
