import {
  AccountBookOutlined,
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  BarcodeOutlined,
  BranchesOutlined,
  CheckSquareOutlined,
  ControlOutlined,
  CreditCardOutlined,
  DesktopOutlined,
  ExportOutlined,
  FormOutlined,
  HomeOutlined,
  ImportOutlined,
  MedicineBoxOutlined,
  NodeIndexOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShoppingCartOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'

/** The specified icon names, mapped to available icons. */
const icons: Readonly<Record<string, ReactNode>> = {
  Home: <HomeOutlined />,
  Buy: <ShoppingCartOutlined />,
  Checklist: <CheckSquareOutlined />,
  Order: <AuditOutlined />,
  Bill: <AccountBookOutlined />,
  Ticket: <BarcodeOutlined />,
  Receive: <ImportOutlined />,
  AdProduct: <AppstoreOutlined />,
  MuseumOne: <BankOutlined />,
  Bank: <CreditCardOutlined />,
  SafeRetrieval: <SafetyCertificateOutlined />,
  Orthopedic: <MedicineBoxOutlined />,
  Form: <FormOutlined />,
  Adjustment: <ControlOutlined />,
  SplitBranch: <BranchesOutlined />,
  Setting: <SettingOutlined />,
  SettingComputer: <DesktopOutlined />,
  CycleOne: <NodeIndexOutlined />,
  ConnectionArrow: <ExportOutlined />,
}

export const menuIcon = (name: string): ReactNode => icons[name] ?? <AppstoreOutlined />
