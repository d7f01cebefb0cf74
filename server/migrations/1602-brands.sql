-- Goods are searched by their brand as well.
create index product_brand_trgm on product using gin (brand gin_trgm_ops);
