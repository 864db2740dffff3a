-- Words, matrices, queens, strings and a heap: several kinds of work in one run.
local count, order = {}, {}
for line in io.lines(arg[1]) do
  for word in line:gmatch("%a+") do
    if not count[word] then order[#order + 1] = word end
    count[word] = (count[word] or 0) + 1
  end
end
table.sort(order, function(a, b) return count[a] > count[b] or count[a] == count[b] and a < b end)

local function matrix(n, f)
  local rows = {}
  for i = 1, n do rows[i] = {} for j = 1, n do rows[i][j] = f(i, j) end end
  return rows
end
local n = 90
local a, b = matrix(n, function(i, j) return i * j % 17 end), matrix(n, function(i, j) return i + j * 0.5 end)
local c = matrix(n, function(i, j) local s = 0 for k = 1, n do s = s + a[i][k] * b[k][j] end return s end)

local function queens(n, row, columns, up, down)
  if row > n then return 1 end
  local found = 0
  for column = 1, n do
    if not (columns[column] or up[row + column] or down[row - column]) then
      columns[column], up[row + column], down[row - column] = true, true, true
      found = found + queens(n, row + 1, columns, up, down)
      columns[column], up[row + column], down[row - column] = nil, nil, nil
    end
  end
  return found
end

local parts = {}
for i = 1, #order do parts[i] = order[i]:upper():reverse():rep(3, "-"):gsub("E+", "e") end
local text = table.concat(parts, " ")

local heap, x = {}, 1
local function push(v)
  local i = #heap + 1
  heap[i] = v
  while i > 1 and heap[i // 2] > heap[i] do heap[i // 2], heap[i] = heap[i], heap[i // 2] i = i // 2 end
end
for _ = 1, 60000 do x = x * 1103515245 % 2147483648 + 12345 push(x) end
print(#order, c[n][n], queens(8, 1, {}, {}, {}), #text, heap[1])
